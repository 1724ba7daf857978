"""Where memory lies, what touching and copying it costs."""
