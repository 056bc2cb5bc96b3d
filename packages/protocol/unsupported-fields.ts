/** What to do with a field that a vendor does not support: reject the request (400), or drop the field. */
export const unsupportedFieldsRules = ['refuse', 'drop'] as const
export type UnsupportedFieldsRule = (typeof unsupportedFieldsRules)[number]
