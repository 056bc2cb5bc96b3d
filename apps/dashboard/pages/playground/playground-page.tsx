import { Button, Group, Stack, Text, Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { ApiFailure } from '../../api/api-failure.ts'
import { accountQuery } from '../../api/queries.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { FailureNote } from '../../components/failure-note.tsx'
import { FormProblems } from '../../components/forms/field-error.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { exactUsd, sumUsd } from '../../format/money.ts'
import { IconAdjustments, IconCode, IconHistory, IconMessage, IconPlus } from '../../icons/icons.ts'
import { Composer } from './compose/composer.tsx'
import type { RequestHead } from './conversation/asking.ts'
import type { Conversation, Question } from './conversation/conversation.ts'
import { playground } from './conversation/store.ts'
import { usePlayground } from './conversation/use-playground.ts'
import { hindranceOf, requestsOf, codeRequestOf, untakenOf } from './conversation/requests.ts'
import { followDraft } from './history/draft.ts'
import { setOwner } from './history/history.ts'
import classes from './playground-page.module.css'
import { useChosenModels } from './settings/model-choice.tsx'
import { useFollowing } from './use-following.ts'

const route = getRouteApi('/playground')

/**
 * Parts that are loaded with the first question, or when opened. The chat also works if the latter fail to
 * load.
 */
const loadRounds = () => import('./answer/rounds.tsx')
const loadAsking = () => import('./conversation/asking.ts')
const Rounds = lazyPart(loadRounds)
const SettingsPanel = lazyPart(() => import('./settings/settings-panel.tsx'))
const CodePanel = lazyPart(() => import('./code/code-panel.tsx'))
const HistoryList = lazyPart(() => import('./history/history-list.tsx'))
/** If its code cannot be loaded, the gateway's message is shown instead. */
const Refusal = lazy(() => import('./answer/refusal.tsx').catch(() => ({ default: FailureNote })))

type Dialog = 'code' | 'history' | 'settings' | undefined

/** A chat with any model, or with two at once, authorized by the session. */
export function PlaygroundPage() {
  const { conversation, running, error } = usePlayground()
  const { settings } = conversation
  const { data: account } = useQuery(accountQuery)
  const models = useChosenModels()
  const [dialog, setDialog] = useState<Dialog>()
  // In an organization each member has their own conversations.
  const owner = account?.member_id ?? account?.id
  useEffect(() => {
    setOwner(owner)
    if (owner !== undefined) followDraft(owner)
  }, [owner])
  useFollowing(conversation)
  const { heads, mistakes } = requestsOf(models, settings)
  const asking = useAsking(heads)
  const panel = (
    <Suspense fallback={<Skeleton height={420} />}>
      <SettingsPanel
        models={models}
        settings={settings}
        mistakes={mistakes}
        onChange={(changes) => playground.changeConversation({ settings: { ...settings, ...changes } })}
      />
    </Suspense>
  )
  return (
    <FormProblems error={error}>
      <PageHeader
        title="Playground"
        description="Every answer is a normal request: it is charged and logged."
      >
        <Actions onDialog={setDialog} />
      </PageHeader>
      <div className={classes.columns}>
        <div className={classes.conversation} onFocus={loadAhead} onPointerEnter={loadAhead}>
          <Panel className={classes.answers}>
            <Stack h="100%" gap="md">
              {conversation.rounds.length === 0 ? (
                <NothingAsked />
              ) : (
                <Suspense fallback={null}>
                  <Rounds
                    conversation={conversation}
                    running={running}
                    onResults={asking.giveResults}
                    onRetry={asking.tryAgain}
                  />
                </Suspense>
              )}
              <Refused error={error} />
              <Total conversation={conversation} />
            </Stack>
          </Panel>
          <Composer
            hindrance={hindranceOf(heads, mistakes, conversation)}
            warningOf={(attachments) => untakenOf(models, attachments)}
            onAsk={asking.ask}
            onStop={stop}
          />
        </div>
        <Panel className={classes.settings}>
          <Stack gap="md">{panel}</Stack>
        </Panel>
      </div>
      <Dialogs opened={dialog} onClose={() => setDialog(undefined)} settings={panel}>
        <CodePanel requests={heads.map((head, place) => codeRequestOf(head, conversation, place))} />
      </Dialogs>
    </FormProblems>
  )
}

/**
 * Loads the code that sends questions, before the first one. A failure shows up when the question is sent.
 */
function loadAhead(): void {
  for (const load of [loadRounds, loadAsking]) load().catch(() => undefined)
}

function useAsking(heads: readonly RequestHead[]) {
  const queryClient = useQueryClient()
  return {
    ask: async (question: Question): Promise<boolean> => {
      try {
        return await (await loadAsking()).ask(question, heads, queryClient)
      } catch (cause) {
        playground.change({ error: new ApiFailure('The gateway cannot be reached.', { cause }) })
        return false
      }
    },
    giveResults: (place: number, results: Readonly<Record<string, string>>): void => {
      const head = heads[place]
      if (head !== undefined)
        void loadAsking().then((asking) => asking.giveResults(results, head, place, queryClient))
    },
    tryAgain: (place: number): void => {
      const head = heads[place]
      if (head !== undefined) void loadAsking().then((asking) => asking.tryAgain(head, place, queryClient))
    },
  }
}

function stop(): void {
  void loadAsking().then((asking) => asking.stop())
}

function Refused({ error }: { error: unknown }) {
  if (error === undefined) return null
  return (
    <Suspense fallback={null}>
      <Refusal error={error} />
    </Suspense>
  )
}

function NothingAsked() {
  return (
    <EmptyNote icon={IconMessage} title="Ask something">
      Each answer shows its tokens, cost and model. You can drop images, PDFs and text files anywhere on this
      page.
    </EmptyNote>
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
        New conversation
      </Button>
    </Group>
  )
}

interface DialogsProps {
  opened: Dialog
  onClose: () => void
  settings: ReactNode
  /** The code panel. */
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
      <FormDialog opened={opened === 'code'} onClose={onClose} title="Code" size="xl">
        <Suspense fallback={null}>{children}</Suspense>
      </FormDialog>
      <FormDialog opened={opened === 'history'} onClose={onClose} title="History" size="lg">
        <Suspense fallback={null}>
          <HistoryList onOpen={open} />
        </Suspense>
      </FormDialog>
      <FormDialog opened={opened === 'settings'} onClose={onClose} title="Settings">
        <Stack gap="md">{settings}</Stack>
      </FormDialog>
    </>
  )
}

/** The cost of all answers, as far as it is known. */
function Total({ conversation: { rounds } }: { conversation: Conversation }) {
  const costs = rounds.flatMap(({ answers }) => answers.flat().flatMap(({ facts }) => facts.costUsd ?? []))
  if (costs.length < 2) return null
  return (
    <Text size="xs" c="dimmed" ta="end">
      This conversation: {exactUsd(sumUsd(costs))}
    </Text>
  )
}
