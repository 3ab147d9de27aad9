"""What every table of the settings is: unknown keys are errors, and nothing changes later."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """One table; its fields are its keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)
