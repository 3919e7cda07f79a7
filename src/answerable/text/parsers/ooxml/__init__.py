"""What Word, Excel and PowerPoint files share."""
