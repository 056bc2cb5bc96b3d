import { Names } from '../../json/names.ts'

/** The members of a request for a moderation that the gateway reads, or counts, or changes. */
export const moderationNames = new Names({
  model: true,
  models: true,
  input: true,
  user: true,
  stream: true,
  metadata: { tags: true, retry_of: true },
})
