import { Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { namesOf, useKeyNames } from '../../api/key-names.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { Money } from '../../components/money.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { endpointNames } from '../../filters/endpoints.ts'
import { duration, wholeNumber } from '../../format/number.ts'
import { exactTimeOf, shortTimeOf } from '../../format/time.ts'
import { ServedModel } from '../../models/served-model.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'
import classes from './request-table.module.css'
import { TagLine } from './tags.tsx'

type Request = Schemas['Request']

/** For another account's requests, as an operator sees them. */
export interface OfAccount {
  keys: Schemas['Key'][]
}

/** Requests as a table, for wide screens. */
export function RequestTable({ requests, ofAccount }: { requests: Request[]; ofAccount?: OfAccount }) {
  const own = useKeyNames(ofAccount === undefined)
  const keyNames = ofAccount === undefined ? own : namesOf(ofAccount.keys)
  return (
    <DataTable
      isStacked={false}
      label="Requests"
      minWidth={640}
      verticalSpacing={6}
      horizontalSpacing={8}
      className={classes.table}
      visibleFrom="sm"
      columns={columnsOf(keyNames, ofAccount)}
      rows={requests}
      keyOf={({ id }) => id}
    />
  )
}

function columnsOf(keyNames: ReadonlyMap<string, string>, ofAccount?: OfAccount): Column<Request>[] {
  return [
    {
      head: 'Time (UTC)',
      cell: (request) => <RequestLink request={request} {...(ofAccount && { ofAccount })} />,
    },
    {
      head: 'Key',
      visibleFrom: 'xl',
      cell: ({ key_id: id }) => (
        <Text size="sm" c="dimmed" truncate maw={110}>
          {keyNames.get(id) ?? id}
        </Text>
      ),
    },
    { head: 'Model', cell: (request) => <ModelLine request={request} /> },
    {
      head: 'Outcome',
      cell: ({ outcome, endpoint }) => (
        <span title={`API: ${endpointNames[endpoint]}`}>
          <OutcomeBadge outcome={outcome} isBare />
        </span>
      ),
    },
    { head: 'Tags', visibleFrom: 'lg', cell: ({ tags }) => <TagLine tags={tags} /> },
    {
      head: 'Tokens in / out',
      align: 'right',
      cell: (request) => `${wholeNumber(request.tokens_in)} / ${wholeNumber(request.tokens_out)}`,
    },
    { head: 'Took', align: 'right', visibleFrom: 'lg', cell: (request) => duration(request.latency_ms) },
    { head: 'Cost', align: 'right', weight: 600, cell: (request) => <Money amount={request.cost_usd} /> },
  ]
}

/** The model that served the request; next to it the requested one, if that is another. */
function ModelLine({ request }: { request: Request }) {
  const { model_asked: requested, model_served: served, tier } = request
  const isOther = served !== null && requested !== null && !served.endsWith(requested)
  return (
    <div
      className={classes.model}
      title={isOther ? `${served}, requested ${requested}` : (served ?? requested ?? '')}
    >
      {served === null ? (requested ?? 'no model') : <ServedModel id={served} />}
      {isOther && (
        <Text span size="xs" c="dimmed">
          {' '}
          {tier === null ? `for ${requested}` : tier}
        </Text>
      )}
    </div>
  )
}

/** Remembers the list's address for the way back. */
export function RequestLink({ request, ofAccount }: { request: Request; ofAccount?: OfAccount }) {
  const { searchStr } = useLocation()
  const link = {
    state: { cameFrom: searchStr },
    fw: 500,
    title: exactTimeOf(request.created_at),
    children: shortTimeOf(request.created_at),
  }
  if (ofAccount === undefined)
    return <PageLink to="/requests/$requestId" params={{ requestId: request.id }} {...link} />
  return <PageLink to="/operator/requests/$requestId" params={{ requestId: request.id }} {...link} />
}

/** The model that served the request; below it the requested one, if that is another. */
export function ModelName({ request }: { request: Request }) {
  const { model_asked: requested, model_served: served, tier } = request
  return (
    <>
      <Text size="sm" truncate component="div">
        {served === null ? (requested ?? 'no model') : <ServedModel id={served} />}
      </Text>
      {served !== null && requested !== null && !served.endsWith(requested) && (
        <Text size="xs" c="dimmed">
          requested {requested}
          {tier !== null && `, ${tier}`}
        </Text>
      )}
    </>
  )
}
