"""What came before: releases, processors, and toolkits that still run."""
