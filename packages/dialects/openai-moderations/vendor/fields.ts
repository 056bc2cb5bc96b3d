import type { ModerateFieldTable } from '../../moderations/fields.ts'
import { passed, translated } from '../../requests/fields/field-table.ts'

/** OpenAI's own format: a caller's body passes, and the vendor's errors name fields that it does not know. */
export const openaiModerationsFields: ModerateFieldTable = {
  model: translated("the model's name at the vendor"),
  'input.text': passed(),
  'input.image_url': passed('the vendor reads addresses itself'),
  user: passed(),
  metadata: passed('except `tags`, which the gateway uses'),
  unknown: passed(),
}
