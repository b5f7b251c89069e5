FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS TARGETARCH TARGETVARIANT
ARG VERSION= REVISION=
ENV GOOS=$TARGETOS GOARCH=$TARGETARCH
RUN CGO_ENABLED=0 GOARM=${TARGETVARIANT#v} go build -trimpath -ldflags "-s -w -X main.release=$VERSION -X main.revision=$REVISION" -o /out/notakto ./cmd/notakto
# A new volume takes over the owner and the mode that the directory has in the image. Any user of group 0 may write. It
# is copied as part of another directory: COPY gives one that it makes itself the mode 0755.
RUN install -d -m 0770 /out/root/data

FROM scratch
ARG VERSION= REVISION=
LABEL org.opencontainers.image.title="notakto" \
      org.opencontainers.image.description="A server on which people play Notakto by SSH" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=build /out/notakto /notakto
COPY --from=build --chown=65532:0 /out/root /
ENV NOTAKTO_DATA=/data
# Only within the container: for the health check.
ENV NOTAKTO_STATUS_LISTEN=127.0.0.1:9464
USER 65532:0
VOLUME /data
EXPOSE 2222
HEALTHCHECK --interval=15s --timeout=6s --start-period=10m CMD ["/notakto", "health"]
ENTRYPOINT ["/notakto"]
