import { Alert } from '@mantine/core'
import { IconPlugConnectedX } from '../icons/icons.ts'
import { useSyncExternalStore } from 'react'
import { gatewayAwaySinceMs, subscribeToReach } from '../api/reach.ts'
import { clockTimeOf } from '../format/time.ts'

/** Shown above every page while the gateway does not respond: the data on screen may be old. */
export function AwayNote() {
  const sinceMs = useSyncExternalStore(subscribeToReach, gatewayAwaySinceMs)
  if (sinceMs === undefined) return null
  return (
    <Alert
      role="alert"
      color="yellow"
      variant="light"
      mb="lg"
      icon={<IconPlugConnectedX size={20} />}
      title={`The gateway has not responded since ${clockTimeOf(sinceMs / 1000, sinceMs)}`}
    >
      You may see outdated data. This page updates by itself once the gateway is back.
    </Alert>
  )
}
