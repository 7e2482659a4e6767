package io.menuboard.webadmin.changes;

import io.menuboard.pricing.changes.ChangeSetApprovals;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetLines;
import io.menuboard.pricing.changes.ChangeSets;
import jakarta.inject.Singleton;

/** Use cases of change sets that pages need together. */
@Singleton
record ChangeSetUseCases(ChangeSetDrafts drafts, ChangeSets sets, ChangeSetApprovals approvals, ChangeSetLines lines) {}
