"""adv_envs.formats."""
