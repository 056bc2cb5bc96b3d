import { Names } from '../../json/names.ts'
import { otherFieldNames, settingNames } from '../../openai-chat/caller/fields.ts'

/** The members of a request for completions that the gateway reads, or counts, or changes. */
export const completionsNames = new Names({
  ...settingNames,
  prompt: true,
  suffix: true,
  echo: true,
  best_of: true,
  logprobs: true,
})
completionsNames.add(otherFieldNames)
