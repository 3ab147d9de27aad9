"""Tests of comal_runtime.llm.openai_chat."""
