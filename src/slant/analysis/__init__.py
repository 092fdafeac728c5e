"""Reading articles: from anything to read to texts, their evidence and their profiles."""
