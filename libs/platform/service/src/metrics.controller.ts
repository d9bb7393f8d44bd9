import { metrics, renderMetrics } from '@counterpart/platform-telemetry';
import { Controller, Get, Header } from '@nestjs/common';

/** The process's metrics in Prometheus text. */
@Controller('metrics')
export class MetricsController {
  @Get()
  @Header('content-type', metrics.contentType)
  render(): Promise<string> {
    return renderMetrics();
  }
}
