/** Locks on etcd. */
module dev.lockstep.etcd {
    requires transitive dev.lockstep.core;
    requires static transitive org.jspecify;
    requires transitive io.grpc;
    requires com.google.common;
    requires com.google.protobuf;
    requires io.grpc.protobuf;
    requires io.grpc.stub;
    requires org.slf4j;

    exports dev.lockstep.etcd;
}
