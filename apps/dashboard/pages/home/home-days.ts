/** What the page looks back on. */
export const homeDays = 30
/** What the burn rate is the mean of. */
export const burnDays = 7
