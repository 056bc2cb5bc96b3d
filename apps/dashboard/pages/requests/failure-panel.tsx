import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '../../icons/icons.ts'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { PageLink } from '../../components/page-link.tsx'
import { endedEarly, failureOf, type Remedy } from './failures.ts'
import { Told } from './told.tsx'

type Request = Schemas['RequestDetail']

interface FailurePanelProps {
  request: Request
  /** Another account's request, as an operator sees it: remedies link to that account. */
  isOthers?: boolean
}

/** Why a request failed, in words, and what helps. */
export function FailurePanel({ request, isOthers = false }: FailurePanelProps) {
  const explanation = request.outcome === 'failed' ? failureOf(request) : endedEarly[request.outcome]
  if (explanation === undefined) return null
  return (
    <Alert
      color={request.outcome === 'failed' ? 'red' : 'orange'}
      variant="light"
      icon={<IconAlertTriangle size={20} />}
      title={explanation.title}
    >
      <Text size="sm">{explanation.cause}</Text>
      {!isOthers && <Told request={request} />}
      <Text size="sm" mt={6}>
        {explanation.remedy}{' '}
        {explanation.place !== undefined && (
          <Place place={explanation.place} request={request} isOthers={isOthers} />
        )}
      </Text>
    </Alert>
  )
}

interface PlaceProps {
  place: NonNullable<Remedy['place']>
  request: Request
  isOthers: boolean
}

function Place({ place, request, isOthers }: PlaceProps): ReactNode {
  if (isOthers && (place === 'credit' || place === 'keys'))
    return (
      <PageLink
        to="/operator/accounts/$accountId"
        params={{ accountId: request.account_id }}
        search={place === 'credit' ? { action: 'credit' } : { show: 'keys' }}
      >
        {place === 'credit' ? 'Credit of the account' : 'Keys of the account'}
      </PageLink>
    )
  switch (place) {
    case 'credit':
      return <PageLink to="/credit">Add credit</PageLink>
    case 'keys':
      return (
        <PageLink to="/keys" search={{ action: 'limits', key: request.key_id }}>
          Name and limits of the key
        </PageLink>
      )
    case 'models':
      return <PageLink to="/models">Models</PageLink>
    case 'docs':
      return (
        <Text component="a" href="/docs" size="sm" c="var(--mantine-color-anchor)">
          API reference
        </Text>
      )
  }
}
