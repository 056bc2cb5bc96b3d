import { Names } from '../../json/names.ts'

/** The members of a request for vectors that the gateway reads, or counts, or changes. */
export const embeddingsNames = new Names({
  model: true,
  models: true,
  input: true,
  dimensions: true,
  encoding_format: true,
  input_type: true,
  user: true,
  stream: true,
  metadata: { tags: true, retry_of: true },
})
