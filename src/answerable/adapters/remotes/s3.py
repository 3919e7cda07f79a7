"""A bucket of an object store (the S3 protocol) as the place.

Credentials are those that boto3 finds: environment variables, profiles, the machine's role.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from answerable.errors import ConfigError, NotFound, ServiceError

_MISSING = ("404", "NoSuchKey", "NotFound")


class S3Remote:
    """Objects under `prefix` of `bucket`, filling `remotes.remote.Remote`.

    `endpoint` '': Amazon's, or what AWS_ENDPOINT_URL names.
    """

    def __init__(self, bucket: str, prefix: str, endpoint: str = "") -> None:
        self._bucket = bucket
        self._prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        config = Config(
            retries={"max_attempts": 5, "mode": "standard"},
            # Other makers' stores do not know the newer checksums; contents are checked by ours.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            s3={"addressing_style": "path"} if endpoint else {},
        )
        with self._faults():
            self._client: Any = boto3.client("s3", endpoint_url=endpoint or None, config=config)

    def names(self) -> Set[str]:
        """The names of all objects there."""
        found: set[str] = set()
        with self._faults():
            pages = self._client.get_paginator("list_objects_v2")
            for page in pages.paginate(Bucket=self._bucket, Prefix=self._prefix):
                found.update(
                    one["Key"].removeprefix(self._prefix) for one in page.get("Contents", ())
                )
        return found

    def put(self, name: str, source: Path) -> None:
        """Keep a file; an object of the name is replaced."""
        with self._faults():
            self._client.upload_file(str(source), self._bucket, self._prefix + name)

    def get(self, name: str, target: Path) -> None:
        """Write an object to a path; NotFound when there is none."""
        with self._faults():
            try:
                self._client.download_file(self._bucket, self._prefix + name, str(target))
            except ClientError as fault:
                if fault.response["Error"]["Code"] in _MISSING:
                    raise NotFound(f"s3://{self._bucket}/{self._prefix} has no {name}") from fault
                raise

    def remove(self, name: str) -> None:
        """Let go of an object, if it is there."""
        with self._faults():
            self._client.delete_object(Bucket=self._bucket, Key=self._prefix + name)

    def finish(self) -> None:
        """Everything is seen as it is put."""

    @contextmanager
    def _faults(self) -> Iterator[None]:
        place = f"s3://{self._bucket}/{self._prefix}"
        try:
            yield
        except (ClientError, BotoCoreError, boto3.exceptions.Boto3Error) as fault:
            kind = type(fault).__name__
            if "Credentials" in kind or "Region" in kind or isinstance(fault, ValueError):
                raise ConfigError(
                    f"{place}: {fault}",
                    "set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_DEFAULT_REGION, or a "
                    "profile",
                ) from fault
            raise ServiceError(
                f"{place}: {fault}",
                "see that the bucket is there and may be read and written; --endpoint names "
                "another store than Amazon's",
                retryable=True,
            ) from fault
