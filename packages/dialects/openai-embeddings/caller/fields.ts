import { leaves, Names } from '../../json/names.ts'

/** The members of an embedding request that the gateway reads, counts or changes. */
export const embeddingsNames = new Names({
  ...leaves('model', 'models', 'input', 'dimensions', 'encoding_format', 'input_type', 'user'),
  ...leaves('stream'),
  metadata: { tags: true, retry_of: true },
})
