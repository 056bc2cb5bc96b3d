import { leaves, Names } from '../../json/names.ts'
import { otherFieldNames, settingNames } from '../../openai-chat/caller/fields.ts'

/** The members of a request for completions that the gateway reads, or counts, or changes. */
export const completionsNames = new Names({
  ...settingNames,
  ...leaves('prompt', 'suffix', 'echo', 'best_of', 'logprobs'),
})
completionsNames.add(otherFieldNames)
