"""`comal audit`: reading, exporting and verifying the audit."""
