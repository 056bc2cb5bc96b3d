/** What the page looks back on. */
export const operatorDays = 30
