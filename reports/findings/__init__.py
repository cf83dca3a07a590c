"""What a build server shows of levels: findings with file, line and column, in the formats that servers read."""
