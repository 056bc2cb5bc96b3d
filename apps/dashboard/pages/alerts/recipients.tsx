import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { usePerson } from '../../api/use-person.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { SendVerification } from '../../components/send-verification.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { countOf, wholeNumber } from '../../format/number.ts'
import { IconBell, IconPlus } from '../../icons/icons.ts'
import { targetsQuery, type EventTarget } from './alert-queries.ts'
import { RecipientDialogs } from './recipient-dialogs.tsx'
import { RecipientMenu } from './recipient-menu.tsx'
import { typeName } from './event-types.ts'

const route = getRouteApi('/alerts')

/** Who is notified: email addresses, and programs through their webhooks. */
export default function Recipients() {
  const navigate = route.useNavigate()
  const query = useQuery(targetsQuery)
  const add = () => void navigate({ search: { show: 'recipients', action: 'new' }, resetScroll: false })
  return (
    <Panel
      p={0}
      isHeadPadded
      title="Recipients"
      description="Webhooks are signed as Standard Webhooks. Failed deliveries are retried for a day."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={add}>
          Add a recipient
        </Button>
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={220} />}>
        {({ data }) => (
          <>
            {data.length === 0 ? (
              <EmptyNote icon={IconBell} title="No recipients yet">
                Add an email address or a webhook.
              </EmptyNote>
            ) : (
              <DataTable
                label="Recipients"
                minWidth={680}
                columns={columns}
                rows={data}
                keyOf={({ id }) => id}
              />
            )}
            {data.some(({ roles }) => roles !== null) && <OwnAddress />}
            <RecipientDialogs targets={data} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

/** Email by role only reaches verified addresses: shows whether the user's own is. */
function OwnAddress() {
  const { data: person } = usePerson()
  if (person === undefined || person.email_verified) return null
  return (
    <Stack gap="sm" p="md">
      <Text size="sm">
        Emails by role do not reach you: {person.email ?? 'you have no address'}
        {person.email !== null && ' is not verified'}.
      </Text>
      <SendVerification label="Email me a verification link" />
    </Stack>
  )
}

const columns: Column<EventTarget>[] = [
  {
    head: 'Recipient',
    place: 'name',
    orderBy: ({ name }) => name,
    cell: ({ name, url, email, people, people_unreached: unreached }) => (
      <div style={{ minWidth: 0, maxWidth: 420 }}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {people !== null && (
          <Text size="xs" c={people === 0 ? 'var(--mantine-color-error)' : 'dimmed'}>
            {people === 0
              ? 'nobody has a verified address'
              : people === 1
                ? 'one person'
                : `${wholeNumber(people)} people`}
            {people > 0 && unreached !== null && unreached > 0 && `; not reached (unverified): ${unreached}`}
          </Text>
        )}
        {(url ?? email ?? name) !== name && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {url ?? email}
          </Text>
        )}
      </div>
    ),
  },
  {
    head: 'Kind',
    cell: ({ kind, roles }) => (kind === 'webhook' ? 'Webhook' : roles === null ? 'Email' : 'Email by role'),
  },
  {
    head: 'Events',
    cell: ({ types }) => {
      const [first = ''] = types
      if (types.includes('*')) return 'everything'
      return (
        <span title={types.map(typeName).join(', ')}>
          {types.length === 1 ? typeName(first) : `${types.length} event types`}
        </span>
      )
    },
  },
  { head: 'State', cell: (target) => <State target={target} /> },
  { head: 'Actions', width: 56, place: 'action', cell: (target) => <RecipientMenu target={target} /> },
]

const states: Record<EventTarget['status'], [words: string, color: string]> = {
  active: ['active', 'teal'],
  unconfirmed: ['not confirmed yet', 'orange'],
  disabled: ['disabled', 'red'],
}

function State({
  target: { status, disabled_reason: reason, failures_in_row: failures },
}: {
  target: EventTarget
}) {
  const [label, color] = states[status]
  return (
    <div>
      <StateBadge color={color}>{label}</StateBadge>
      {(reason !== null || failures > 0) && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {reason ?? `${countOf(failures, 'event')} failed in a row`}
        </Text>
      )}
    </div>
  )
}
