import { Alert, Button, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { forgetLogs, requestLogQuery } from '../../../api/log-queries.ts'
import { CodeBlock } from '../../../components/code-block.tsx'
import { CodeTabs } from '../../../components/code-tabs.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { timeOf } from '../../../format/time.ts'
import { IconAlertTriangle, IconTrash } from '../../../icons/icons.ts'
import type { Json } from '../../playground/code/bodies/body.ts'
import { DeleteLogForm } from './delete-log-form.tsx'
import { Messages } from './messages.tsx'
import { codeOf, languages } from './request-code.ts'
import { sizeOf } from './size.ts'
import classes from './log-panel.module.css'

type Log = Schemas['RequestLog']
type Side = NonNullable<Log['request']>

const views = [
  { value: 'messages', label: 'Messages' },
  { value: 'json', label: 'JSON' },
  { value: 'code', label: 'Code' },
]

/** The prompt and answer of a request, if they are stored. */
export default function LogPanel({ requestId }: { requestId: string }) {
  const query = useQuery(requestLogQuery(requestId))
  const queryClient = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const [isDeleted, setDeleted] = useState(false)
  return (
    <Panel
      title="Prompt and answer"
      description={!isDeleted && query.data && retentionNote(query.data)}
      actions={
        !isDeleted &&
        query.data && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={() => setDeleting(true)}
          >
            Delete
          </Button>
        )
      }
    >
      {isDeleted ? (
        <Text size="sm" role="status">
          Deleted. The prompt and answer of this request are no longer stored.
        </Text>
      ) : (
        <Loaded query={query} skeleton={<Skeleton height={320} />}>
          {(log) => (log.unreadable === null ? <Kept log={log} /> : <Unreadable log={log} />)}
        </Loaded>
      )}
      <FormDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title="Delete this prompt and answer"
      >
        <DeleteLogForm
          requestId={requestId}
          onCancel={() => setDeleting(false)}
          onDone={() => {
            setDeleting(false)
            setDeleted(true)
            forgetLogs(queryClient)
          }}
        />
      </FormDialog>
    </Panel>
  )
}

/** `Kept until …; 2 × email, 1 × api key were taken out.` */
function retentionNote({ expires_at: expiresAt, redacted }: Log): string {
  const kinds = Object.entries(redacted).map(
    ([kind, count]) => `${String(count)} × ${kind.replaceAll('_', ' ')}`,
  )
  const taken = kinds.length === 0 ? '' : ` Redacted: ${kinds.join(', ')}.`
  return `Kept until ${timeOf(expiresAt)}.${taken}`
}

function Unreadable({ log }: { log: Log }) {
  return (
    <Alert color="orange" variant="light" icon={<IconAlertTriangle size={20} />} title="It cannot be read">
      <Text size="sm">
        {log.unreadable === 'key_missing'
          ? 'The gateway no longer has the key that this was encrypted with. The operator may be ' +
            'able to restore it.'
          : 'The stored data is damaged. Contact the operator of this gateway.'}
      </Text>
    </Alert>
  )
}

function Kept({ log }: { log: Log }) {
  const { request, answer } = log
  const [view, setView] = useState('messages')
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="Format"
        data={request === null ? views.slice(0, 2) : views}
        value={view}
        onChange={setView}
        style={{ alignSelf: 'flex-start' }}
      />
      <Truncated side={request} name="request" />
      <Truncated side={answer} name="answer" />
      {view === 'messages' && <Messages request={request?.messages ?? []} answer={answer?.messages ?? []} />}
      {view === 'json' && (
        <>
          <JsonSide side={request} name="Request" />
          <JsonSide side={answer} name={answer === null ? 'Answer' : `Answer, status ${answer.status}`} />
        </>
      )}
      {view === 'code' && request !== null && <Code log={log} request={request} />}
    </Stack>
  )
}

function Truncated({ side, name }: { side: Side | null; name: string }) {
  if (side === null || !side.truncated) return null
  return (
    <Text size="sm" c="dimmed">
      Not all of the {name} is stored. The original had {sizeOf(side.bytes)}. Missing parts are marked.
    </Text>
  )
}

function JsonSide({ side, name }: { side: Side | null; name: string }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={6}>
        {name}
      </Text>
      {side === null ? (
        <Text size="sm" c="dimmed">
          Nothing was received.
        </Text>
      ) : (
        <div className={classes.long}>
          <CodeBlock
            code={typeof side.body === 'string' ? side.body : JSON.stringify(side.body, null, 2)}
            label={name}
            wrap
          />
        </div>
      )}
    </div>
  )
}

function Code({ log, request }: { log: Log; request: Side }) {
  const sent = { origin: location.origin, path: log.path ?? '', body: request.body as Json }
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        The original request as stored. Replace redacted parts and image data before you run it. It reads the
        key from the variable <code>TURNPIKE_API_KEY</code>.
      </Text>
      <CodeTabs label="The request" languages={languages} codeOf={(language) => codeOf[language](sent)} />
    </Stack>
  )
}
