import { Button, Divider, Group, NumberInput, Stack, Switch, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { forgetLogs, promptLogQuery } from '../../../api/log-queries.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { FailureNote } from '../../../components/failure-note.tsx'
import { useFieldError } from '../../../components/forms/field-error.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { countOf } from '../../../format/number.ts'
import { dateOf } from '../../../format/time.ts'
import { sizeOf } from './size.ts'

/** Whether prompts and answers are kept, for how long, and their deletion. */
export default function PromptLogForm({ onDone }: { onDone: () => void }) {
  const query = useQuery(promptLogQuery)
  return (
    <Loaded query={query} skeleton={<div style={{ height: 320 }} />}>
      {(log) =>
        log.available ? (
          <Available log={log} onDone={onDone} />
        ) : (
          <Text size="sm">The operator of this gateway has turned off the prompt log.</Text>
        )
      }
    </Loaded>
  )
}

function Available({ log, onDone }: { log: Schemas['PromptLog']; onDone: () => void }) {
  const [isOn, setOn] = useState(log.log_prompts)
  const [days, setDays] = useState<number | string>(log.days)
  const change = useChange('log', onDone, () => {
    const body = { log_prompts: isOn, ...(Number(days) !== log.days && { log_days: Number(days) }) }
    return api.PATCH('/api/v1/me', { body })
  })
  return (
    <Stack>
      <ChangeForm
        change={change}
        submit="Save"
        isComplete={Number(days) >= 1}
        fieldNames={['log_days']}
        onCancel={onDone}
      >
        <Switch
          label="Keep prompts and answers"
          description="Applies to all keys without their own setting. Off by default."
          checked={isOn}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
        <DaysField days={days} onChange={setDays} most={log.max_days} />
        <Text size="sm" c="dimmed">
          They are encrypted, and only you can read them here. API keys, tokens, passwords, card numbers and
          email addresses are redacted first where they can be recognized, so do not rely on this for data
          that must never be stored. Of each request and answer, up to {sizeOf(log.max_bytes)} are stored.
        </Text>
      </ChangeForm>
      <Divider />
      <Deletion log={log} />
    </Stack>
  )
}

function DaysField(props: {
  days: number | string
  most: number
  onChange: (days: number | string) => void
}) {
  const { days, most, onChange } = props
  return (
    <NumberInput
      {...useFieldError('log_days')}
      label="Days"
      description={`Older entries are deleted. At most ${most}.`}
      min={1}
      max={most}
      clampBehavior="none"
      allowDecimal={false}
      value={days}
      onChange={onChange}
    />
  )
}

/** Takes two steps, because it cannot be undone. */
function Deletion({ log: { entries, bytes, oldest_at: oldest } }: { log: Schemas['PromptLog'] }) {
  const queryClient = useQueryClient()
  const [isSure, setSure] = useState(false)
  const deletion = useChange(
    'log',
    () => {
      setSure(false)
      forgetLogs(queryClient)
    },
    () => api.DELETE('/api/v1/me/prompt-log'),
  )
  const held =
    entries === 0
      ? 'Nothing is stored.'
      : `${countOf(entries, 'request')} kept (${sizeOf(bytes)}), the oldest of ${dateOf(oldest ?? 0)}.`
  return (
    <Stack gap="xs">
      {deletion.error !== null && <FailureNote error={deletion.error} />}
      <Group justify="space-between" gap="sm">
        <Text size="sm" role="status">
          {held}
        </Text>
        {entries > 0 && !isSure && (
          <Button variant="default" size="xs" onClick={() => setSure(true)}>
            Delete all…
          </Button>
        )}
        {isSure && (
          <Button color="red.8" size="xs" loading={deletion.isPending} onClick={() => deletion.mutate()}>
            Delete permanently
          </Button>
        )}
      </Group>
    </Stack>
  )
}
