import { ActionIcon, Button, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { relativeTo } from '../../../format/time.ts'
import { IconHistory, IconTrash } from '../../../icons/icons.ts'
import { titleOf, type Conversation } from '../conversation/conversation.ts'
import type { Kept } from './chest.ts'
import classes from './history-list.module.css'
import { forgetConversation, forgetConversations, listConversations, mostConversations } from './history.ts'

interface HistoryListProps {
  onOpen: (conversation: Conversation) => void
}

/** Reads the browser's database, not the gateway, so it is never cached. */
const historyQuery = {
  queryKey: ['playground-history'],
  queryFn: listConversations,
  staleTime: 0,
  gcTime: 0,
}

/** The conversations in this browser: open one, delete one, or delete all. */
export default function HistoryList({ onOpen }: HistoryListProps) {
  const { data: kept = [], isPending } = useQuery(historyQuery)
  const queryClient = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const after = (forgotten: Promise<void>) =>
    void forgotten.then(() => queryClient.invalidateQueries({ queryKey: historyQuery.queryKey }))
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Stored only in this browser, even after you sign out: the last {mostConversations}. On a shared
        computer, delete them.
      </Text>
      {kept.length === 0 && !isPending && (
        <EmptyNote icon={IconHistory} title="No conversations yet">
          Conversations appear here after the first answer.
        </EmptyNote>
      )}
      <ul className={classes.list}>
        {kept.map((one) => (
          <Entry
            key={one.id}
            kept={one}
            onOpen={() => onOpen(one)}
            onDelete={() => after(forgetConversation(one.id))}
          />
        ))}
      </ul>
      {kept.length > 0 && (
        <Group justify="flex-end">
          {isConfirming ? (
            <>
              <Button variant="default" onClick={() => setConfirming(false)}>
                Keep them
              </Button>
              <Button
                color="red"
                onClick={() => {
                  setConfirming(false)
                  after(forgetConversations())
                }}
              >
                Delete all {kept.length}
              </Button>
            </>
          ) : (
            <Button
              variant="default"
              leftSection={<IconTrash size={16} />}
              onClick={() => setConfirming(true)}
            >
              Delete all
            </Button>
          )}
        </Group>
      )}
    </Stack>
  )
}

interface EntryProps {
  kept: Kept
  onOpen: () => void
  onDelete: () => void
}

function Entry({ kept, onOpen, onDelete }: EntryProps) {
  const title = titleOf(kept)
  return (
    <li className={classes.entry}>
      <UnstyledButton className={classes.open} onClick={onOpen}>
        <Text size="sm" fw={500} truncate>
          {title}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {relativeTo(kept.changedMs / 1000, Date.now())} · {kept.models.join(' and ')}
        </Text>
      </UnstyledButton>
      <ActionIcon variant="subtle" color="gray" aria-label={`Delete “${title}”`} onClick={onDelete}>
        <IconTrash size={16} />
      </ActionIcon>
    </li>
  )
}
