/**
 * What to do with a field that a vendor does not support: reject the request with a 400 that names it, or
 * drop the field.
 */
export const unsupportedFieldsRules = ['refuse', 'drop'] as const
export type UnsupportedFieldsRule = (typeof unsupportedFieldsRules)[number]
