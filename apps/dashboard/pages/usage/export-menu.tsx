import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { downloadExport, saveText } from '../../api/download.ts'
import { queryOf } from '../../filters/usage-filters.ts'
import { tableCsv } from './table-csv.ts'
import { defaultBy } from './usage-search.ts'
import { viewQueries } from './view-queries.ts'

const route = getRouteApi('/usage')

/** What is seen, as files: the table, or every request behind it. */
export function ExportMenu() {
  const view = route.useSearch()
  const { by = defaultBy, against, measure: _measure, ...filters } = view
  const dimensions = against === undefined ? [by] : [by, against]
  const { data } = useQuery(viewQueries(view).groups)
  const download = useMutation({
    mutationFn: (format: 'csv' | 'jsonl') => downloadExport({ ...queryOf(filters), format }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The export did not work', message: error.message }),
  })
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} loading={download.isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          disabled={data === undefined}
          onClick={() => data && saveText('usage.csv', 'text/csv', tableCsv(data.data, dimensions))}
        >
          This table (CSV)
        </Menu.Item>
        <Menu.Item onClick={() => download.mutate('csv')}>Every request (CSV)</Menu.Item>
        <Menu.Item onClick={() => download.mutate('jsonl')}>Every request (JSON lines)</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
