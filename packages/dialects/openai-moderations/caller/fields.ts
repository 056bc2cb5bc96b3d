import { leaves, Names } from '../../json/names.ts'

/** The members of a request for a moderation that the gateway reads, or counts, or changes. */
export const moderationNames = new Names({
  ...leaves('model', 'models', 'input', 'user', 'stream'),
  metadata: { tags: true, retry_of: true },
})
