package io.menuboard.pricing.approvals;

/** Why a change set needs the approval of a second person. */
public enum ApprovalReason {
    /** It writes more lines than may be written without. */
    LINES,
    /** A price changes by a larger share than may be changed without. A deletion changes it by 100 percent. */
    PERCENT,
    /** It changes a price of a product that is named in the settings. */
    PRODUCTS,
    /** A version that did not look for reasons has previewed it: preview it again. */
    PREVIEWED_BEFORE
}
