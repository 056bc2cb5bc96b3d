import { NativeSelect, NumberInput, TagsInput, Textarea } from '@mantine/core'
import { efforts, type CodeRequest } from './code/code-request.ts'

/** What a request says besides the conversation. */
export type Settings = Pick<CodeRequest, 'system' | 'maxTokens' | 'effort'> & { tags: string[] }

interface RequestSettingsProps {
  settings: Settings
  onChange: (settings: Settings) => void
}

const byDefault = 'as the model does by itself'

export function RequestSettings({ settings, onChange }: RequestSettingsProps) {
  const { system, tags, maxTokens, effort } = settings
  return (
    <>
      <TagsInput
        label="Tags"
        description="What it is counted under."
        maxTags={20}
        value={tags}
        onChange={(value) => onChange({ ...settings, tags: value })}
      />
      <Textarea
        label="System prompt"
        autosize
        minRows={2}
        maxRows={8}
        value={system}
        onChange={(event) => onChange({ ...settings, system: event.currentTarget.value })}
      />
      <NumberInput
        label="Max tokens"
        description="Of an answer, with what was thought for it."
        min={1}
        max={1_000_000}
        allowDecimal={false}
        value={maxTokens ?? ''}
        onChange={(value) =>
          onChange({ ...settings, maxTokens: typeof value === 'number' && value >= 1 ? value : undefined })
        }
      />
      <NativeSelect
        label="Reasoning"
        data={[byDefault, ...efforts]}
        value={effort ?? byDefault}
        onChange={(event) =>
          onChange({ ...settings, effort: efforts.find((one) => one === event.currentTarget.value) })
        }
      />
    </>
  )
}
