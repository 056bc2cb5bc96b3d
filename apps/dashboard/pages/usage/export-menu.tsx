import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '../../icons/icons.ts'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { downloadExport, saveText } from '../../api/download.ts'
import { allGroups } from '../../api/usage-queries.ts'
import { queryOf } from '../../filters/usage-filters.ts'
import { tableCsv } from './table-csv.ts'
import { defaultBy } from './usage-search.ts'

const route = getRouteApi('/usage')

/** What is seen, as files: the table, or every request behind it. */
export function ExportMenu() {
  const view = route.useSearch()
  const { by = defaultBy, against } = view
  const dimensions = against === undefined ? [by] : [by, against]
  const onError = (error: Error): void => {
    notifications.show({ color: 'red', title: 'The export did not work', message: error.message })
  }
  const download = useMutation({
    mutationFn: (format: 'csv' | 'jsonl') => downloadExport({ ...queryOf(view), format }),
    onError,
  })
  // Every group, those too that the page has no row for.
  const table = useMutation({
    mutationFn: async () => {
      const groups = await allGroups({ ...queryOf(view), by: dimensions })
      saveText('usage.csv', 'text/csv', tableCsv(groups, dimensions))
    },
    onError,
  })
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={download.isPending || table.isPending}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => table.mutate()}>This table (CSV)</Menu.Item>
        <Menu.Item onClick={() => download.mutate('csv')}>Every request (CSV)</Menu.Item>
        <Menu.Item onClick={() => download.mutate('jsonl')}>Every request (JSON lines)</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
