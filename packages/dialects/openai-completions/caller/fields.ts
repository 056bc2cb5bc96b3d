import { leaves, Names } from '../../json/names.ts'
import { otherFieldNames, settingNames } from '../../openai-chat/caller/fields.ts'

/** The members of a completions request that the gateway reads, counts or changes. */
export const completionsNames = new Names({
  ...settingNames,
  ...leaves('prompt', 'suffix', 'echo', 'best_of', 'logprobs'),
})
completionsNames.add(otherFieldNames)
