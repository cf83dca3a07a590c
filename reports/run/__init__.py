"""What is done with levels: solved in workers under limits, certified, verified, asked, compared, generated."""
