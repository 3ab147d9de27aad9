"""`comal approvals`: what people were asked, and answering it at the machine."""
