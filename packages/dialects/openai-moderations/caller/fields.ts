import { leaves, Names } from '../../json/names.ts'

/** The members of a moderation request that the gateway reads, counts or changes. */
export const moderationNames = new Names({
  ...leaves('model', 'models', 'input', 'user', 'stream'),
  metadata: { tags: true, retry_of: true },
})
