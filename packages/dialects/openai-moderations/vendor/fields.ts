import type { ModerateFieldTable } from '../../moderations/fields.ts'
import { passed, translated } from '../../requests/fields/field-table.ts'

/** OpenAI's own format: the body of a caller goes as it is, and what the vendor does not know it names. */
export const openaiModerationsFields: ModerateFieldTable = {
  model: translated("the model's name at the vendor"),
  'input.text': passed(),
  'input.image_url': passed('the vendor reads addresses itself'),
  user: passed(),
  metadata: passed('except `tags`, which the gateway uses'),
  unknown: passed(),
}
