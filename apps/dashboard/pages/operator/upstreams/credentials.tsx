import { Text } from '@mantine/core'
import type { Schemas } from '../../../api/client.ts'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { Panel } from '../../../components/panel.tsx'
import { StateBadge } from '../../../components/state-badge.tsx'
import { durationOf } from './duration-text.ts'

type Credential = Schemas['UpstreamCredential']

/** Credentials that expire: tokens and signing keys. Renders nothing if providers only have plain keys. */
export function UpstreamCredentials({ credentials }: { credentials: readonly Credential[] }) {
  const minted = credentials.filter(({ kind }) => kind !== 'key')
  if (minted.length === 0) return null
  return (
    <Panel p={0} title="Credentials" description="Renewed by this node well before they expire" isHeadPadded>
      <DataTable
        label="Credentials"
        minWidth={640}
        verticalSpacing="xs"
        columns={columns}
        rows={minted.toSorted((left, right) => urgency[left.state] - urgency[right.state])}
        keyOf={({ provider, key }) => `${provider} ${key}`}
      />
    </Panel>
  )
}

const colors: Record<Credential['state'], string> = {
  ready: 'teal',
  minting: 'blue',
  failing: 'orange',
  absent: 'red',
}

const words: Record<Credential['state'], string> = {
  ready: 'ready',
  minting: 'on its way',
  failing: 'not renewed',
  absent: 'none',
}

const urgency: Record<Credential['state'], number> = { absent: 0, failing: 1, minting: 2, ready: 3 }

const columns: Column<Credential>[] = [
  { head: 'Provider', place: 'name', cell: (credential) => <Name credential={credential} /> },
  { head: 'State', cell: ({ state }) => <StateBadge color={colors[state]}>{words[state]}</StateBadge> },
  {
    head: 'Valid for',
    align: 'right',
    cell: ({ expires_in_seconds: seconds }) => (seconds === null ? '–' : durationOf(seconds)),
  },
  { head: 'Problem', place: 'words', cell: (credential) => <Failure credential={credential} /> },
]

function Name({ credential: { provider, source } }: { credential: Credential }) {
  return (
    <>
      <Text size="sm" fw={500}>
        {provider}
      </Text>
      <Text size="xs" c="dimmed">
        {source}
      </Text>
    </>
  )
}

function Failure({ credential: { failure, hint } }: { credential: Credential }) {
  if (failure === null)
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    )
  return (
    <>
      <Text size="sm">{failure}</Text>
      {hint !== null && hint !== '' && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </>
  )
}
