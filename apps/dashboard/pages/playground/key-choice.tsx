import { Anchor, Button, PasswordInput, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { keysQuery } from '../../api/queries.ts'
import { useRawKeys } from '../../api/raw-keys.ts'
import { useKeyMade } from '../../api/use-key-made.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { shortUsd } from '../../format/money.ts'

const pasted = 'pasted'

/** The gateway keeps no raw key, so it is one that was made in this tab, or one that is pasted. */
export function KeyChoice({ onChange }: { onChange: (rawKey: string) => void }) {
  const { data: keys } = useQuery(keysQuery)
  const rawKeys = useRawKeys()
  const known = keys?.data.filter(({ id, status }) => status === 'active' && rawKeys.has(id)) ?? []
  const [chosen, setChosen] = useState<string>()
  const [typed, setTyped] = useState('')
  const current = chosen ?? known[0]?.id ?? pasted
  const rawKey = current === pasted ? typed.trim() : (rawKeys.get(current) ?? '')
  useEffect(() => onChange(rawKey), [rawKey, onChange])
  return (
    <Stack gap="xs">
      {known.length > 0 && (
        <Select
          label="Key"
          allowDeselect={false}
          data={[
            ...known.map(({ id, name, balance_usd: balance }) => ({
              value: id,
              label: `${name} (${shortUsd(balance)})`,
            })),
            { value: pasted, label: 'Another key' },
          ]}
          value={current}
          onChange={(value) => setChosen(value ?? undefined)}
        />
      )}
      {current === pasted && (
        <>
          <PasswordInput
            label={known.length > 0 ? 'The other key' : 'Key'}
            placeholder="sk-turnpike-…"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Text size="sm" c="dimmed">
            It stays in this tab’s memory. Or <CreateKey onMade={setChosen} />
          </Text>
        </>
      )}
    </Stack>
  )
}

function CreateKey({ onMade }: { onMade: (keyId: string) => void }) {
  const creation = useKeyMade(
    (header) => api.POST('/api/v1/me/keys', { params: { header }, body: { name: 'playground' } }),
    ({ id }) => onMade(id),
  )
  if (creation.error !== null) return <FailureNote error={creation.error} />
  return creation.isPending ? (
    <Button size="compact-xs" variant="subtle" loading>
      making one
    </Button>
  ) : (
    <Anchor component="button" type="button" size="sm" onClick={() => creation.mutate()}>
      make one for the playground
    </Anchor>
  )
}
