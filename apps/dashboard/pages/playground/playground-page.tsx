import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { accountQuery } from '../../api/queries.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { FormProblems } from '../../components/field-error.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { exactUsd, sumUsd } from '../../format/money.ts'
import { IconAdjustments, IconCode, IconHistory, IconPlus } from '../../icons/icons.ts'
import { Rounds } from './answer/rounds.tsx'
import { Composer } from './compose/composer.tsx'
import { ask, giveResults, stop, tryAgain } from './conversation/asking.ts'
import type { Conversation } from './conversation/conversation.ts'
import { playground } from './conversation/store.ts'
import { usePlayground } from './conversation/use-playground.ts'
import { hindranceOf, requestsOf, shownRequest, untakenOf } from './conversation/requests.ts'
import { HistoryList } from './history/history-list.tsx'
import { setOwner } from './history/history.ts'
import classes from './playground-page.module.css'
import { useChosenModels } from './settings/model-choice.tsx'
import { SettingsPanel } from './settings/settings-panel.tsx'
import { useFollowing } from './use-following.ts'

const route = getRouteApi('/playground')

/** As large as the rest of the page. Where it does not arrive, one can chat. */
const CodePanel = lazy(() => import('./code/code-panel.tsx').catch(() => ({ default: () => null })))

type Dialog = 'code' | 'history' | 'settings' | undefined

/** A chat with any model, or with two at once, by the signed-in session. */
export function PlaygroundPage() {
  const { conversation, running, error } = usePlayground()
  const { settings } = conversation
  const queryClient = useQueryClient()
  const { data: account } = useQuery(accountQuery)
  const models = useChosenModels()
  const [dialog, setDialog] = useState<Dialog>()
  useEffect(() => setOwner(account?.id), [account?.id])
  useFollowing(conversation)
  const { heads, mistakes } = requestsOf(models, settings)
  const panel = (
    <SettingsPanel
      models={models}
      settings={settings}
      mistakes={mistakes}
      onChange={(changes) => playground.changeConversation({ settings: { ...settings, ...changes } })}
    />
  )
  return (
    <FormProblems error={error}>
      <PageHeader
        title="Playground"
        description="Each answer is a request as any other: it costs, and is in the log, without its texts."
      >
        <Actions onDialog={setDialog} />
      </PageHeader>
      <div className={classes.columns}>
        <div className={classes.conversation}>
          <Panel className={classes.answers}>
            <Stack h="100%" gap="md">
              <Rounds
                conversation={conversation}
                running={running}
                onResults={(place, results) =>
                  heads[place] && void giveResults(results, heads[place], place, queryClient)
                }
                onRetry={(place) => heads[place] && void tryAgain(heads[place], place, queryClient)}
              />
              {error !== undefined && <FailureNote error={error} />}
              <Total conversation={conversation} />
            </Stack>
          </Panel>
          <Composer
            hindrance={hindranceOf(heads, mistakes, conversation)}
            warningOf={(attachments) => untakenOf(models, attachments)}
            onAsk={(question) => ask(question, heads, queryClient)}
            onStop={stop}
          />
        </div>
        <Panel className={classes.settings}>
          <Stack gap="md">{panel}</Stack>
        </Panel>
      </div>
      <Dialogs opened={dialog} onClose={() => setDialog(undefined)} settings={panel}>
        <CodePanel requests={heads.map((head, place) => shownRequest(head, conversation, place))} />
      </Dialogs>
    </FormProblems>
  )
}

function Actions({ onDialog }: { onDialog: (dialog: Dialog) => void }) {
  const { conversation } = usePlayground()
  return (
    <Group gap="xs">
      <Button
        variant="default"
        hiddenFrom="md"
        leftSection={<IconAdjustments size={16} />}
        onClick={() => onDialog('settings')}
      >
        Settings
      </Button>
      <Button variant="default" leftSection={<IconCode size={16} />} onClick={() => onDialog('code')}>
        Code
      </Button>
      <Button variant="default" leftSection={<IconHistory size={16} />} onClick={() => onDialog('history')}>
        History
      </Button>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        disabled={conversation.rounds.length === 0}
        onClick={() => {
          stop()
          playground.show()
        }}
      >
        Start anew
      </Button>
    </Group>
  )
}

interface DialogsProps {
  opened: Dialog
  onClose: () => void
  settings: ReactNode
  /** The code. */
  children: ReactNode
}

function Dialogs({ opened, onClose, settings, children }: DialogsProps) {
  const navigate = route.useNavigate()
  const open = (conversation: Conversation) => {
    stop()
    playground.show(conversation)
    const [model, second] = conversation.models
    void navigate({ search: { ...(model && { model }), ...(second && { with: second }) }, replace: true })
    onClose()
  }
  return (
    <>
      <FormDialog opened={opened === 'code'} onClose={onClose} title="The same as code" size="xl">
        <Suspense fallback={null}>{children}</Suspense>
      </FormDialog>
      <FormDialog opened={opened === 'history'} onClose={onClose} title="History" size="lg">
        <HistoryList onOpen={open} />
      </FormDialog>
      <FormDialog opened={opened === 'settings'} onClose={onClose} title="Settings">
        <Stack gap="md">{settings}</Stack>
      </FormDialog>
    </>
  )
}

/** What all of its answers have cost, as far as it is known. */
function Total({ conversation: { rounds } }: { conversation: Conversation }) {
  const costs = rounds.flatMap(({ answers }) => answers.flat().flatMap(({ facts }) => facts.costUsd ?? []))
  if (costs.length < 2) return null
  return (
    <Text size="xs" c="dimmed" ta="end">
      This conversation: {exactUsd(sumUsd(costs))}
    </Text>
  )
}
