import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { requestQuery } from '../../../api/usage-queries.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { RoutePanel } from '../../requests/route-panel.tsx'

/** A request appears in the log shortly after its answer. */
const maxRetries = 6
const retryMs = 500

/** How auto-routing chose the model that answered; loaded when opened. */
export function Routing({ requestId }: { requestId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        size="compact-xs"
        mt="xs"
        ml={-8}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide routing' : 'Show routing'}
      </Button>
      {isOpen && <Chosen requestId={requestId} />}
    </>
  )
}

function Chosen({ requestId }: { requestId: string }) {
  const query = useQuery({
    ...requestQuery(requestId),
    placeholderData: undefined,
    retry: maxRetries,
    retryDelay: retryMs,
  })
  return (
    <Loaded query={query} skeleton={<Skeleton height={260} mt="xs" />}>
      {({ route, tier }) => (route === null ? null : <RoutePanel chosen={route} tier={tier} />)}
    </Loaded>
  )
}
