"""The stations of the law: one file each, put in their order by the pipeline."""
