FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION= REVISION=
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.release=$VERSION -X main.revision=$REVISION" -o /out/notakto ./cmd/notakto
# A new volume takes over the owner and the mode that the directory has in the image.
RUN install -d -m 0700 -o 65532 -g 65532 /out/data

FROM scratch
COPY --from=build /out/notakto /notakto
COPY --from=build --chown=65532:65532 /out/data /data
ENV NOTAKTO_DATA=/data
# Only within the container: for the health check.
ENV NOTAKTO_STATUS_LISTEN=127.0.0.1:9464
USER 65532:65532
VOLUME /data
EXPOSE 2222
HEALTHCHECK --interval=15s --timeout=6s --start-period=10m CMD ["/notakto", "health"]
ENTRYPOINT ["/notakto"]
