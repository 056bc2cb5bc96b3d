/** What becomes of a field that a vendor cannot honour: 400 that names it, or it is left out. */
export const unsupportedFieldsRules = ['refuse', 'drop'] as const
export type UnsupportedFieldsRule = (typeof unsupportedFieldsRules)[number]
