import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { StateBadge } from '../../../components/state-badge.tsx'
import { relativeTo, timeOf } from '../../../format/time.ts'
import { IconDeviceDesktop } from '../../../icons/icons.ts'
import { sessionsQuery } from '../settings-queries.ts'
import { useDialog } from '../use-dialog.ts'
import { EndForm, EndOthersForm } from './end-forms.tsx'
import { nameOf, whatOf } from './names.ts'

type Session = Schemas['Session']

/** All sessions of the user, and the ways to end them. */
export function Sessions() {
  const query = useQuery(sessionsQuery)
  const [ended, setEnded] = useState<Session>()
  const { action, open, close } = useDialog()
  const others = query.data?.data.filter(({ current }) => !current) ?? []
  return (
    <Panel
      p={0}
      isHeadPadded
      title="Where you are signed in"
      description="Browsers, command lines, devices and apps. Signing one out takes effect at once."
      actions={
        others.length > 0 && (
          <Button variant="default" onClick={() => open('end-others')}>
            Sign out all others
          </Button>
        )
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={220} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconDeviceDesktop} title="No sessions listed">
              Your identity provider manages your sessions.
            </EmptyNote>
          ) : (
            <DataTable
              label="Sessions"
              minWidth={640}
              columns={columnsOf(setEnded)}
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      <FormDialog opened={ended !== undefined} onClose={() => setEnded(undefined)} title="Sign out session">
        {ended !== undefined && <EndForm ended={ended} onDone={() => setEnded(undefined)} />}
      </FormDialog>
      <FormDialog opened={action === 'end-others'} onClose={close} title="Sign out all other sessions">
        {action === 'end-others' && <EndOthersForm others={others} onDone={close} />}
      </FormDialog>
    </Panel>
  )
}

function columnsOf(onEnd: (session: Session) => void): Column<Session>[] {
  return [
    {
      head: 'Session',
      place: 'name',
      cell: (session) => (
        <Stack gap={2}>
          <Group gap="xs">
            <Text size="sm" fw={500}>
              {nameOf(session)}
            </Text>
            {session.current && <StateBadge color="teal">this one</StateBadge>}
          </Group>
          <Text size="xs" c="dimmed">
            {whatOf(session)}
          </Text>
        </Stack>
      ),
    },
    {
      head: 'From',
      cell: ({ address }) => (
        <Text size="sm" component="span" c={address === null ? 'dimmed' : undefined}>
          {address ?? 'not known'}
        </Text>
      ),
    },
    { head: 'Signed in', cell: ({ created_at: at }) => timeOf(at) },
    {
      head: 'Last used',
      cell: ({ last_used_at: at, current }) => (
        <span title={timeOf(at)}>{current ? 'now' : relativeTo(at, Date.now())}</span>
      ),
    },
    {
      head: 'Actions',
      align: 'right',
      place: 'action',
      cell: (session) =>
        !session.current && (
          <Button
            variant="default"
            size="xs"
            aria-label={`Sign out ${nameOf(session)}, signed in ${timeOf(session.created_at)}`}
            onClick={() => onEnd(session)}
          >
            Sign out
          </Button>
        ),
    },
  ]
}
