import type { ModerateRequest } from '@turnpike/protocol'
import { flatFieldRules } from '../requests/fields/flat-field-rules.ts'
import { moderateFields } from './fields.ts'

/** The field rules of moderation requests. */
export const moderateWords = flatFieldRules<ModerateRequest>({
  fields: moderateFields,
  omittable: {},
  visit({ inputs }, tell) {
    tell('model', () => 'model')
    if (inputs.some(({ kind }) => kind === 'text')) tell('input.text', () => 'input')
    const image = inputs.findIndex(({ kind }) => kind === 'image')
    if (image !== -1) tell('input.image_url', () => `input[${image}].image_url`)
  },
})
