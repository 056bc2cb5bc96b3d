import type { ModerateFieldTable } from '../../moderations/fields.ts'
import { passed, translated } from '../../requests/field-table.ts'

/** OpenAI's own format: the body of a caller goes as it is, and what the vendor does not know it names. */
export const openaiModerationsFields: ModerateFieldTable = {
  model: translated('its name at the vendor'),
  'input.text': passed(),
  'input.image_url': passed('the vendor fetches URLs itself'),
  user: passed(),
  metadata: passed("without `tags`, which are the gateway's"),
  unknown: passed(),
}
