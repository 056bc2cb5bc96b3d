import type { ModerateFieldTable } from '../../moderations/fields.ts'
import { dropped, passed, refused, translated } from '../../requests/fields/field-table.ts'

/** https://docs.mistral.ai/api/endpoint/classifiers */
export const mistralModerationsFields: ModerateFieldTable = {
  model: translated("the model's name at the vendor"),
  'input.text': passed('parts of one input are one text'),
  'input.image_url': refused('it reads texts alone'),
  user: dropped('it has no such hint'),
  metadata: dropped('it keeps no requests'),
  unknown: refused('it has no such field'),
}
